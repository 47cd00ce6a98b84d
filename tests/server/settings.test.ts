import { describe, expect, it } from "vitest";
import { readSettings } from "../../src/server/settings.ts";

const settingsOf = (environment: Record<string, string>) => {
	const read = readSettings(environment, "/srv/orbit");
	return "settings" in read ? read.settings : read;
};

describe("settings", () => {
	it("need nothing", () => {
		expect(settingsOf({})).toEqual({
			host: "127.0.0.1",
			port: 3000,
			database: { kind: "sqlite", file: "/srv/orbit/data/waitlist.db" },
		});
	});

	it("take an empty variable for an absent one", () => {
		expect(settingsOf({ HOST: "", PORT: " ", DATABASE_URL: "" })).toEqual(settingsOf({}));
	});

	it.each([
		["file:here.db", "/srv/orbit/here.db"],
		["file:./a/../here.db", "/srv/orbit/here.db"],
		["file:/var/lib/orbit/waitlist.db", "/var/lib/orbit/waitlist.db"],
		["file:///var/lib/orbit/wait%20list.db", "/var/lib/orbit/wait list.db"],
	])("find the file of %s", (url, file) => {
		expect(settingsOf({ DATABASE_URL: url })).toMatchObject({ database: { file } });
	});

	it.each(["0.0.0.0", "::", "localhost", "orbit.example", "fe80::1%eth0"])(
		"listen on %s",
		(host) => {
			expect(settingsOf({ HOST: host })).toMatchObject({ host });
		},
	);

	it.each([
		[{ PORT: "http" }, 'PORT must be a whole number from 0 to 65535, but it is "http".'],
		[{ PORT: "65536" }, 'PORT must be a whole number from 0 to 65535, but it is "65536".'],
		[{ PORT: "-1" }, 'PORT must be a whole number from 0 to 65535, but it is "-1".'],
		[{ HOST: "http://x" }, 'HOST must be a host name or an IP address, but it is "http://x".'],
		[
			{ DATABASE_URL: "file:" },
			'DATABASE_URL must name a file after file:, without ? or #, but it is "file:".',
		],
		[
			{ DATABASE_URL: "file://elsewhere/waitlist.db" },
			'DATABASE_URL must name a file of this machine, but it is "file://elsewhere/waitlist.db".',
		],
		[{ WAITLIST_PORT: "1" }, "WAITLIST_PORT is not a setting of this server."],
	])("refuse %j in one sentence", (environment, problem) => {
		expect(settingsOf(environment as Record<string, string>)).toEqual({ problems: [problem] });
	});

	it("do not repeat the password of a database URL", () => {
		const read = settingsOf({ DATABASE_URL: "mysql://orbit:secret@db/waitlist" });
		expect(read).toMatchObject({
			problems: [expect.stringMatching(/^DATABASE_URL must be file:/)],
		});
		expect(JSON.stringify(read)).not.toContain("secret");
	});

	it("name every problem at once", () => {
		expect(settingsOf({ PORT: "x", HOST: "a b", DATABASE_URL: "file:?" })).toMatchObject({
			problems: [/^HOST/, /^PORT/, /^DATABASE_URL/].map((start) => expect.stringMatching(start)),
		});
	});
});

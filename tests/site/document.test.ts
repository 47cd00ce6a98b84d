import { expect, test } from "vitest";
import { renderDocument } from "../../src/site/prerender/document.ts";
import { createJsonLd } from "../../src/site/prerender/json-ld.ts";
import { type Route, routeAt } from "../../src/site/routes.ts";

const assets = { bootUrl: "/boot.js", mainUrl: "/main.js", fonts: [] };
const route: Route = {
	...routeAt("/"),
	title: `"Email" & <smart>`,
	description: `</script><b>"now"</b>`,
};

test("a route's texts are escaped in elements, attributes and scripts", () => {
	const html = renderDocument(route, "<p></p>", assets);
	expect(html).toContain("<title>&#34;Email&#34; &#38; &#60;smart&#62;</title>");
	expect(html).toContain(
		`<meta name="description" content="&#60;/script&#62;&#60;b&#62;&#34;now&#34;&#60;/b&#62;">`,
	);
	const [, data] = /<script type="application\/ld\+json">(.*)<\/script>/.exec(html) ?? [];
	expect(data).not.toContain("<");
	expect(JSON.parse(data ?? "")).toEqual(createJsonLd(route));
});

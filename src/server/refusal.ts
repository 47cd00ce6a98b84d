/** Error messages by form field. */
export type Problems = Readonly<Record<string, string>>;

/** Refuses the founder's request, with a message to show. */
export class Refusal extends Error {
	problems?: Problems;
}

export function requireValid(fields: Readonly<Record<string, string | false>>): void {
	const problems = Object.entries(fields).filter(([, problem]) => problem);
	if (problems.length === 0) return;
	throw Object.assign(new Refusal(), { problems: Object.fromEntries(problems) });
}

/** Makes a command exit with 3. */
export class NotFound extends Refusal {}

import { REDEEM_PATH } from "#shared/invitation.ts";

/** Redeems a code as a product's server does. Gives the answer without its sentence. */
export async function redeem({
	origin,
	key,
	...invitation
}: {
	origin: string;
	key: string;
	code: string;
	email: string;
}) {
	const response = await fetch(new URL(REDEEM_PATH, origin), {
		method: "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		body: JSON.stringify(invitation),
	});
	const { error: _, ...answer } = await response.json();
	return answer;
}

import { Hono } from "hono";
import { INVITATION_PATH, REDEEM_PATH } from "#shared/invitation.ts";
import { type Arrival, type Call, callOf } from "../http/call.ts";
import { notAllowed } from "../http/responses.ts";
import { type LinkPages, sendPage } from "../mail/links/link-routes.ts";

/** What invitations lead to. */
interface InvitationRoutesSettings {
	/** Absent where no page of an email's link can be shown. */
	pages: LinkPages | undefined;
	/** Absent where no server of the product may ask. */
	redeem: ((request: Call) => Promise<Response>) | undefined;
}

/** The page that the link of an invitation leads to, and the call of the product's own server. */
export function createInvitationRoutes({
	pages,
	redeem,
}: InvitationRoutesSettings): Hono<{ Bindings: Arrival }> {
	const routes = new Hono<{ Bindings: Arrival }>();
	if (pages) {
		routes.get(INVITATION_PATH, () => sendPage(pages(200, "invitation")));
		routes.all(INVITATION_PATH, () => notAllowed("GET, HEAD"));
	}
	if (redeem) {
		routes.post(REDEEM_PATH, (c) => redeem(callOf(c.req.raw, c.env)));
		routes.all(REDEEM_PATH, () => notAllowed("POST"));
	}
	return routes;
}

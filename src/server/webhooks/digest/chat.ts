import { isTaken, type Posted, post } from "../post.ts";

/** Sends a text to a chat. It never throws. */
export type Say = (text: string, signal?: AbortSignal) => Promise<Posted & { taken: boolean }>;

/**
 * Speaks to a chat in its own form, which its host tells: Slack reads `text` and Discord reads `content`
 * (api.slack.com/messaging/webhooks, discord.com/developers/docs/resources/webhook). Any other host gets
 * both.
 */
export function openChat(url: string): Say {
	const { hostname } = new URL(url);
	const isOf = (...domains: string[]) =>
		domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
	const slack = isOf("slack.com");
	const discord = isOf("discord.com", "discordapp.com");
	return async (text, signal) => {
		const body = JSON.stringify({
			...(!discord && { text }),
			// No text of ours can call everybody, whatever it says.
			...(!slack && { content: text, allowed_mentions: { parse: [] } }),
		});
		const posted = await post(
			url,
			{ headers: { "content-type": "application/json" }, body },
			signal,
		);
		return { ...posted, taken: isTaken(posted) };
	};
}

import { signer } from "../secret.ts";

/** 128 bits. */
const PERSON_BYTES = 16;

/**
 * What events call a person instead of their address: the same for ever and in every copy of the list,
 * and without the secret it leads to no address.
 *
 * @param secret of the key
 * @returns a function of the canonical address
 */
export function personNames(secret: string): (key: string) => string {
	const sign = signer(secret, "events", PERSON_BYTES);
	return (key) => sign(key).toString("hex");
}

/** Refuses the founder's request, with a message to show. */
export class Refusal extends Error {}

/** Makes a command exit with 3. */
export class NotFound extends Refusal {}

/** A sentence for the founder, whose request is refused. */
export class Refusal extends Error {}

/** The command ends with 3. */
export class NotFound extends Refusal {}

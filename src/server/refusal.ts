/** A sentence for the operator: what they asked for is not done. */
export class Refusal extends Error {}

/** The same where what they named is not there. The command ends with 3. */
export class NotFound extends Refusal {}

/** A variable has an unusable value. The message continues a sentence that starts with its name. */
export class Unusable extends Error {}

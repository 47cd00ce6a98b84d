/** Returns an error's message. Node wraps connection failures to several IP addresses in one error. */
export function messageOf(error: unknown): string {
	if (error instanceof AggregateError) return messageOf(error.errors[0]);
	return error instanceof Error ? error.message : String(error);
}

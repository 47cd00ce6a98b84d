/** What an error says. Node puts the failures at all addresses of a host name into one. */
export function messageOf(error: unknown): string {
	if (error instanceof AggregateError) return messageOf(error.errors[0]);
	return error instanceof Error ? error.message : String(error);
}

export async function forEachConcurrently<Item>(
	items: readonly Item[],
	work: (item: Item, n: number) => Promise<void>,
): Promise<void> {
	const waiting = items.entries();
	const one = async () => {
		for (const [n, item] of waiting) await work(item, n);
	};
	await Promise.all(Array.from({ length: 20 }, one));
}

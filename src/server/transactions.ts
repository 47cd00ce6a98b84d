import type { Transactions } from "./database/transaction.ts";

/**
 * Everything that changes data, by its name: what the thread of an SQLite file can be asked to run.
 */
export const transactions = {} satisfies Transactions;

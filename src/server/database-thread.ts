import { serveSqlite } from "./database/sqlite/thread.ts";
import { transactions } from "./transactions.ts";

/* Entry point of the SQLite thread. Outside database/, because it imports transactions from all modules. */
serveSqlite(transactions);

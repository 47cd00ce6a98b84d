import { serveSqlite } from "./database/sqlite/thread.ts";
import { transactions } from "./transactions.ts";

/* SQLite thread. Not in database/, because it imports the transactions of all modules. */
serveSqlite(transactions);

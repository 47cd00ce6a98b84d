import { serveSqlite } from "./database/sqlite/thread.ts";
import { transactions } from "./transactions.ts";

/* Entry point of the SQLite thread. */
serveSqlite(transactions);

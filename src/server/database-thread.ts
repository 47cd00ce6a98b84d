import { serveSqlite } from "./database/sqlite/thread.ts";
import { transactions } from "./transactions.ts";

/* The thread of an SQLite file. It is here, because it knows the transactions of all modules. */
serveSqlite(transactions);

import type { DatabaseKind } from "../server/registrations/databases.ts";

/**
 * The database for tests that support either. `DATABASE=PostgreSQL npx vitest run tests/server` runs
 * them on PostgreSQL.
 */
export const kind: DatabaseKind = process.env.DATABASE === "PostgreSQL" ? "PostgreSQL" : "SQLite";

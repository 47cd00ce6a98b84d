import type { DatabaseKind } from "../server/registrations/databases.ts";

/**
 * The database for tests that cover both. `DATABASE=PostgreSQL npx vitest run tests/server` runs
 * them on the other one.
 */
export const kind: DatabaseKind = process.env.DATABASE === "PostgreSQL" ? "PostgreSQL" : "SQLite";

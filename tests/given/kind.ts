import type { DatabaseKind } from "../server/registrations/databases.ts";

/**
 * Runs tests on PostgreSQL instead of SQLite with `DATABASE=PostgreSQL npx vitest run
 * tests/server`.
 */
export const kind: DatabaseKind = process.env.DATABASE === "PostgreSQL" ? "PostgreSQL" : "SQLite";

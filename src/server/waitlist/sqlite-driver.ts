type Driver = typeof import("@photostructure/sqlite");

/** Node's own SQLite where there is one (from Node 22.13 on), else the same API from npm. */
const builtIn = process.getBuiltinModule?.("node:sqlite") as Driver | undefined;

export const { DatabaseSync } = builtIn ?? (await import("@photostructure/sqlite"));
export type { DatabaseSyncInstance, StatementSyncInstance } from "@photostructure/sqlite";

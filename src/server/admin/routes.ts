import type { OfficeRoute } from "./page.ts";
import { auditRoutes } from "./pages/audit.ts";
import { type LettersParts, lettersRoutes } from "./pages/letters.ts";
import { listRoutes } from "./pages/list.ts";
import { type NewWaveParts, newWaveRoutes } from "./pages/new-wave.ts";
import { type PersonParts, personRoutes } from "./pages/person.ts";
import { type TodayParts, todayRoutes } from "./pages/today.ts";
import { waveRoutes } from "./pages/waves.ts";

/** What the pages are made of, besides the database. */
export interface PageParts extends TodayParts, LettersParts, NewWaveParts, PersonParts {
	settings: TodayParts["settings"] & PersonParts["settings"];
}

/** Every address of the office that needs a session. Add a page here. */
export function officeRoutes(parts: PageParts): readonly OfficeRoute[] {
	return [
		...todayRoutes(parts),
		...listRoutes,
		...personRoutes(parts),
		...lettersRoutes(parts),
		...waveRoutes(parts),
		...newWaveRoutes(parts),
		...auditRoutes,
	];
}

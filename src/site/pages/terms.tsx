import { LegalPage } from "../legal/legal-page.tsx";
import { termsOfService } from "../legal/terms.ts";

export function Terms() {
	return <LegalPage document={termsOfService} path="/terms" />;
}

import { LegalPage } from "../legal/legal-page.tsx";
import { privacyPolicy } from "../legal/privacy.ts";

export function Privacy() {
	return <LegalPage document={privacyPolicy} path="/privacy" />;
}

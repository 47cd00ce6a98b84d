import { words } from "#brand";
import { Page } from "./page.tsx";

const { title, before, position, after } = words.confirmation;

export function Confirmation() {
	return (
		<Page name="confirmation" moving>
			<main className="centre">
				<div className="news" data-quiet>
					<h1 className="congratulations lit" tabIndex={-1}>
						{title}
					</h1>
					<p className="remark lit">{before}</p>
					<p className="position lit">
						<span>{position}</span>
					</p>
					<p className="remark lit">{after}</p>
				</div>
			</main>
		</Page>
	);
}

import { Page } from "./page.tsx";
import { congratulations, position, remarks } from "./words.ts";

export function Confirmation() {
	return (
		<Page name="confirmation" moving>
			<main className="centre">
				<div className="news" data-quiet>
					<h1 className="congratulations lit" tabIndex={-1}>
						{congratulations}
					</h1>
					<p className="remark lit">{remarks[0]}</p>
					<p className="position lit">
						<span>{position}</span>
					</p>
					<p className="remark lit">{remarks[1]}</p>
				</div>
			</main>
		</Page>
	);
}

import { words } from "#brand";
import { Page } from "./page.tsx";

const { title, before, position, after } = words.confirmation;

export function Confirmation() {
	return (
		<Page name="confirmation" moving>
			<main className="centre">
				<div className="news block" data-quiet>
					<h1 className="congratulations" tabIndex={-1}>
						{title}
					</h1>
					<p className="remark">{before}</p>
					<p className="position">
						<span className="visually-hidden">{position}</span>
						<span aria-hidden="true">
							{[...position].map((sign, place) => (
								<span className="slot" key={position.slice(0, place + 1)}>
									<span className="figure" data-sign={sign}>
										{sign}
									</span>
								</span>
							))}
						</span>
					</p>
					<p className="remark">{after}</p>
				</div>
			</main>
		</Page>
	);
}

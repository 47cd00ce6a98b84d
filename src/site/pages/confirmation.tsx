import { type ComponentType, useEffect, useState } from "react";
import { words } from "#words";
import { Page } from "./page.tsx";

const { title, before, position, after } = words.confirmation;

export function Confirmation() {
	const [ShowAFriend, setShowAFriend] = useState<ComponentType>();
	useEffect(() => {
		// Imported from the landing page, because a shared chunk would cost both pages another request.
		const landing = import("./landing.tsx");
		landing.then(({ ShowAFriend }) => setShowAFriend(() => ShowAFriend)).catch(() => {});
	}, []);
	return (
		<Page name="confirmation" moving>
			<main className="center">
				<div className="news block" data-quiet>
					<h1 className="congratulations" tabIndex={-1}>
						{title}
					</h1>
					<p className="place">
						<span className="remark">{before}</span>{" "}
						<span className="position">
							<span className="visually-hidden">{position}</span>
							<span aria-hidden="true">
								{[...position].map((sign, place) => (
									<span className="slot" key={position.slice(0, place + 1)}>
										{/* CSS shows the digit: text browsers already show the number above. */}
										<span className="figure" data-sign={sign} />
									</span>
								))}
							</span>
						</span>
					</p>
					<p className="remark">{after}</p>
					<div className="sharing block" data-quiet>
						{ShowAFriend && <ShowAFriend />}
					</div>
				</div>
			</main>
		</Page>
	);
}

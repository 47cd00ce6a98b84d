import { useEffect, useState } from "react";
import { words } from "#words";
import { restoreMoon } from "../moon/chosen-moon.ts";
import { ShowAFriend } from "../moon/show-a-friend.tsx";
import { supportsLateStyles } from "../styles/late-styles.ts";
import { Page } from "./page.tsx";

const { title, before, position, after } = words.confirmation;

export function Confirmation() {
	const [canShare, setCanShare] = useState(false);
	useEffect(() => {
		restoreMoon();
		setCanShare(supportsLateStyles);
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
					<div className="sharing" data-quiet>
						{canShare && <ShowAFriend />}
					</div>
				</div>
			</main>
		</Page>
	);
}

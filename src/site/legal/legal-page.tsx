import { brand } from "#brand";
import { words } from "#words";
import { Page } from "../pages/page.tsx";
import { absoluteUrl } from "../site-urls.ts";
import { type Block, type LegalDocument, type Prose, plainText } from "./legal-document.ts";

const effectiveDate = new Intl.DateTimeFormat(brand.language, {
	dateStyle: "long",
	timeZone: "UTC",
}).format(new Date(brand.legalEffectiveDate));

interface LegalPageProps {
	document: LegalDocument;
	/** URL path of the page. Print shows the full URL. */
	path: string;
}

export function LegalPage({ document: { title, intro, sections }, path }: LegalPageProps) {
	return (
		<Page name="legal">
			<nav className="contents" aria-label={words.legal.contents}>
				<Contents of={sections} />
			</nav>
			<main className="legal-text">
				<a className="home" href="/">
					<span aria-hidden="true">← </span>
					{words.legal.home}
				</a>
				<h1 tabIndex={-1}>{title}</h1>
				<p className="effective" data-url={absoluteUrl(path)}>
					{`${words.legal.effective} `}
					<time dateTime={brand.legalEffectiveDate}>{effectiveDate}</time>
				</p>
				{/* For windows too narrow for the side list. Without script, one list cannot serve both. */}
				<details className="contents-above">
					<summary>{words.legal.contents}</summary>
					<nav aria-label={words.legal.contents}>
						<Contents of={sections} />
					</nav>
				</details>
				<Blocks of={intro} />
				{sections.map(({ id, title, body, parts = [] }, index) => (
					<section key={id} id={id}>
						<h2>{`${index + 1}. ${title}`}</h2>
						<Blocks of={body} />
						{parts.map((part) => (
							<div key={part.title}>
								<h3>{part.title}</h3>
								<Blocks of={part.body} />
							</div>
						))}
					</section>
				))}
			</main>
		</Page>
	);
}

function Contents({ of: sections }: { of: LegalDocument["sections"] }) {
	return (
		<ol>
			{sections.map(({ id, title }) => (
				<li key={id}>
					<a href={`#${id}`}>{title}</a>
				</li>
			))}
		</ol>
	);
}

/** The text is the React key: all blocks of a document differ. */
function Blocks({ of: blocks }: { of: readonly Block[] }) {
	return blocks.map((block) => {
		if (typeof block === "string" || !("list" in block)) {
			return (
				<p key={plainText(block)}>
					<Line of={block} />
				</p>
			);
		}
		return (
			<ul key={block.list.map(plainText).join()}>
				{block.list.map((item) => (
					<li key={plainText(item)}>
						<Line of={item} />
					</li>
				))}
			</ul>
		);
	});
}

function Line({ of: prose }: { of: Prose }) {
	if (typeof prose === "string") return prose;
	return prose.map((piece) =>
		typeof piece === "string" ? (
			piece
		) : (
			<a
				key={piece.href + piece.text}
				href={piece.href}
				{...(piece.href.startsWith("/") && { "data-url": absoluteUrl(piece.href) })}
			>
				{piece.text}
			</a>
		),
	);
}

/** What `fold` of src/shared/email.ts changed when it came. The letters of the second text replace those of the first. */
const [UNFOLDED, FOLDED] = ["µſςϐϑϕϖϰϱϵᲀᲁᲂᲃᲄᲅᲆᲇᲈẛ", "μsσβθφπκρεвдосттъѣꙋṡ"] as const;

/** SQL for the key of a row by that rule. */
export const FOLDED_KEY = Array.from(UNFOLDED).reduce(
	(sql, letter, n) => `replace(${sql}, '${letter}', '${FOLDED[n]}')`,
	"email_key",
);

/** Whether that is another key. The lengths come first: they tell ASCII, which is nearly all rows. */
export const IS_UNFOLDED = `(octet_length(email_key) <> length(email_key) AND ${FOLDED_KEY} <> email_key)`;

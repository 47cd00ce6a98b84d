/** What a picture's file says of itself. */
export interface ImageFile {
	width: number;
	height: number;
	bytes: number;
	/** The words that a JPEG carries. */
	comment?: string;
}

/** Reads the head of a PNG, a JPEG or a Windows icon that holds a PNG. */
export function readImage(file: Buffer): ImageFile {
	const bytes = file.length;
	if (file.readUInt32BE(0) === 0x89504e47)
		return { bytes, width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
	if (file.readUInt32BE(0) === 0x00000100) {
		const { width, height } = readImage(file.subarray(file.readUInt32LE(18)));
		// The directory and the picture in it agree, or programs read one or the other.
		if (file[6] !== width || file[7] !== height) throw new Error("The icon contradicts itself.");
		return { bytes, width, height };
	}
	if (file.readUInt16BE(0) !== 0xffd8) throw new Error("This is no picture that we know.");
	let comment: string | undefined;
	for (let at = 2; at < bytes; at += 2 + file.readUInt16BE(at + 2)) {
		const marker = file.readUInt16BE(at);
		if (marker === 0xfffe)
			comment = file.toString("utf8", at + 4, at + 2 + file.readUInt16BE(at + 2));
		// Start of frame: precision, then height, then width.
		if (marker >= 0xffc0 && marker <= 0xffc2)
			return {
				bytes,
				width: file.readUInt16BE(at + 7),
				height: file.readUInt16BE(at + 5),
				...(comment !== undefined && { comment }),
			};
	}
	throw new Error("The JPEG has no frame.");
}

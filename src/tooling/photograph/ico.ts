import { crc32 } from "node:zlib";

/** Adds a comment to a JPEG (ITU-T T.81, B.2.4.5), right after its start. */
export function withComment(jpeg: Buffer, text: string): Buffer {
	const comment = Buffer.from(text);
	const marker = Buffer.from([0xff, 0xfe, 0, 0]);
	marker.writeUInt16BE(comment.length + 2, 2);
	return Buffer.concat([jpeg.subarray(0, 2), marker, comment, jpeg.subarray(2)]);
}

/** Adds a comment to a PNG (W3C PNG, 11.3.3.2), right after its header. */
export function withText(png: Buffer, text: string): Buffer {
	const headerEnd = 8 + 12 + 13; // signature, chunk overhead, and header data
	const content = Buffer.from(`tEXtComment\0${text}`, "latin1");
	const chunk = Buffer.alloc(content.length + 8);
	chunk.writeUInt32BE(content.length - 4);
	content.copy(chunk, 4);
	chunk.writeUInt32BE(crc32(content), content.length + 4);
	return Buffer.concat([png.subarray(0, headerEnd), chunk, png.subarray(headerEnd)]);
}

/** Wraps a square PNG as a Windows icon, the format of `favicon.ico`. */
export function inIco(png: Buffer, size: number): Buffer {
	const header = Buffer.alloc(22);
	header.writeUInt16LE(1, 2); // an icon
	header.writeUInt16LE(1, 4); // one image
	header.writeUInt8(size, 6);
	header.writeUInt8(size, 7);
	header.writeUInt16LE(1, 10); // one plane
	header.writeUInt16LE(32, 12); // 32 bits per pixel
	header.writeUInt32LE(png.length, 14);
	header.writeUInt32LE(header.length, 18);
	return Buffer.concat([header, png]);
}

/** The format of `favicon.ico`: a PNG in a Windows icon. */
export function pngToIco(png: Buffer, size: number): Buffer {
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

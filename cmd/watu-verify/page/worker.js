"use strict";
// The worker checks one file: { module, file, head } comes in, { step, done, total } goes out now and then, and at the
// end { answer } or { failed }.
onmessage = async ({ data: { module, file, head } }) => {
	const read = (offset, length) => {
		try {
			return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(offset, offset + length)));
		} catch {
			return null;
		}
	};
	const progress = (step, done, total) => postMessage({ step, done, total });
	try {
		const go = new Go();
		go.run(await WebAssembly.instantiate(module, go.importObject));
		postMessage({ answer: JSON.parse(watuVerify(file.size, read, head, progress)) });
	} catch (wrong) {
		postMessage({ failed: String(wrong) });
	}
};

// The library puts a FormData of its own in the place of the platform's, for whoever comes after it in this process.
const { FormData: platforms } = globalThis;
const { default: zulip } = await import('zulip-js');
globalThis.FormData = platforms;

export { zulip };

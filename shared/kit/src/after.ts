/** Does work after a time, unless the result is disposed before. Nothing keeps a process for it. */
export function after(ms: number, work: () => void): Disposable {
  const timer = setTimeout(work, ms);
  timer.unref();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

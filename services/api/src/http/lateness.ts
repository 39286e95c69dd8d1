const everyMs = 100;

/** Measures how late this process does what it has to do: by how much its timer last missed its time, in milliseconds. */
export function measureLateness(): { readonly ms: () => number } & Disposable {
  let [dueMs, lateMs] = [performance.now() + everyMs, 0];
  const timer = setInterval(() => {
    const nowMs = performance.now();
    lateMs = Math.max(0, nowMs - dueMs);
    dueMs = nowMs + everyMs;
  }, everyMs).unref();
  return { ms: () => lateMs, [Symbol.dispose]: () => clearInterval(timer) };
}

/** Does work after a time, unless the result is disposed before. Nothing keeps a process for it. */
export function after(ms: number, work: () => void): Disposable {
  const timer = setTimeout(work, ms);
  timer.unref();
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}

/**
 * Acts when an answer has not come for so long, unless the result is disposed before. If this process was held up itself, the
 * answer may be here already: it is read first.
 */
export function onSilence(ms: number, act: () => void, wait = after): Disposable {
  let isOver = false;
  const timer = wait(ms, () =>
    setImmediate(() =>
      setImmediate(() => {
        if (!isOver) act();
      }),
    ),
  );
  return {
    [Symbol.dispose]() {
      isOver = true;
      timer[Symbol.dispose]();
    },
  };
}

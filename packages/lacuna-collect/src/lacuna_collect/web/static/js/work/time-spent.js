// Measures the time somebody really works: the page is visible, and something was done lately.

const IDLE = 90_000;
const STEP = 1_000;

export function measureTime(already) {
  let spent = already;
  let active = Date.now();
  let last = performance.now();
  for (const kind of ["keydown", "pointerdown", "pointermove", "scroll", "touchstart"]) {
    document.addEventListener(kind, () => (active = Date.now()), { passive: true, capture: true });
  }
  setInterval(() => {
    const now = performance.now();
    const works = !document.hidden && Date.now() - active < IDLE;
    // A machine that slept must not count as somebody who worked.
    if (works) spent += Math.min(now - last, 5 * STEP) / 1000;
    last = now;
  }, STEP);
  return () => Math.round(spent);
}

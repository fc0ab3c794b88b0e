// What a view loads: a value that is on its way, there, or not to be had.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Refusal } from '../api/call.ts';

/** What a service refuses for a moment only: it does not answer, has too much to do, or fails. */
const PASSING = [0, 429, 500, 503];
/** Then it is asked again after this. */
const RETRY_MILLISECONDS = 3_000;

/** A value that is loaded. `value` stays while it is loaded anew, so nothing jumps. */
export interface Loaded<T> {
  value: T | undefined;
  error: Refusal | undefined;
  isLoading: boolean;
  /** Loads it anew. */
  again(): void;
}

/**
 * Loads a value when the view appears, again when what it depends on changes, and again after a failure that passes.
 * @param load may use the signal, which is aborted when nobody waits any more
 * @param every milliseconds after which it is loaded again while the page is seen
 */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[],
  every?: number,
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'again'>>({ value: undefined, error: undefined, isLoading: true });
  const [turn, setTurn] = useState(0);
  const loader = useRef(load);
  loader.current = load;
  const isUnderWay = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    isUnderWay.current = true;
    setState(before => ({ ...before, isLoading: true }));
    loader.current(controller.signal).then(
      value => {
        if (controller.signal.aborted) return;
        isUnderWay.current = false;
        setState({ value, error: undefined, isLoading: false });
      },
      error => {
        if (controller.signal.aborted) return;
        isUnderWay.current = false;
        if (!(error instanceof Refusal)) throw error;
        setState(before => ({ ...before, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [...dependencies, turn]);
  const again = useCallback(() => setTurn(before => before + 1), []);
  const period = PASSING.includes(state.error?.status ?? -1) ? RETRY_MILLISECONDS : every;
  useEffect(() => {
    if (period === undefined) return;
    // A slow service is not asked again before it has answered.
    const timer = setInterval(() => document.visibilityState === 'visible' && !isUnderWay.current && again(), period);
    return () => clearInterval(timer);
  }, [period]);
  return { ...state, again };
}

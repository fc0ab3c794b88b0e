// Doing something for the service: one thing at a time, and what it refuses stands where it was asked.

import { useState } from 'preact/hooks';
import { Refusal } from '../../api/call.ts';

/** Something that can be done. */
interface Doing {
  isBusy: boolean;
  /** Why the service refused the last one. */
  error: string | undefined;
  /** Name of the parameter that it refused. */
  parameter?: string | undefined;
  /** Does it; a refusal becomes `error`. @returns true when it was done */
  run(work: () => Promise<unknown>): Promise<boolean>;
}

/** A thing to do, with its state. */
export function useDoing(): Doing {
  const [state, setState] = useState<Omit<Doing, 'run'>>({
    isBusy: false,
    error: undefined,
  });
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setState({ isBusy: true, error: undefined });
    try {
      await work();
      setState({ isBusy: false, error: undefined });
      return true;
    } catch (error) {
      const isAborted = (error as Error).name === 'AbortError';
      if (!(error instanceof Refusal) && !isAborted) throw error;
      setState({
        isBusy: false,
        error: isAborted ? undefined : (error as Error).message,
        parameter: parameterOf(error),
      });
      return false;
    }
  };
  return { ...state, run };
}

/** What was refused, by the name of the parameter; it speaks of the field beside it. */
export function errorsOf({ error, parameter = '' }: Pick<Doing, 'error' | 'parameter'>): Record<string, string> {
  if (error === undefined) return {};
  return { [parameter]: error.startsWith(`${parameter} must `) ? `It${error.slice(parameter.length)}` : error };
}

/** Name of the parameter that an answer refuses; undefined where it is none. */
export function parameterOf(error: unknown): string | undefined {
  return error instanceof Refusal ? (error.answer as { parameter?: string } | undefined)?.parameter : undefined;
}

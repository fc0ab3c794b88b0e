// The frame of the page: the rail, the view that the address names, and what stands above it when something is wrong.

import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { route } from '../state/route.ts';
import { isOffline, readSession, session } from '../state/session.ts';
import { strings } from '../strings.ts';
import { Button } from '../ui/button.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { Toasts } from '../ui/toast.tsx';
import { ViewHead } from '../ui/view_head.tsx';
import type { RailView, View } from '../views/view.ts';
import { LoginPage } from './login.tsx';
import { Rail } from './rail.tsx';

const text = strings.frame;
/** How often a service that did not answer is asked again. */
const RETRY_MILLISECONDS = 3_000;

/**
 * The page. @param views in the order of the rail; the first one is shown where the address names none @param pages
 * views that others lead to
 */
export function Frame({ views, pages }: { views: readonly RailView[]; pages: readonly View[] }) {
  const main = useRef<HTMLElement>(null);
  const id = route.value.view === '' ? views[0].id : route.value.view;
  const view = [...views, ...pages].find(each => each.id === id);
  useEffect(() => {
    document.title = view === undefined ? text.name : `${view.title} · ${text.name}`;
  }, [view]);
  useEffect(() => {
    if (!isOffline.value) return;
    const timer = setInterval(() => void readSession(), RETRY_MILLISECONDS);
    return () => clearInterval(timer);
  }, [isOffline.value]);
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {text.skip}
      </button>
      <Rail views={views} current={id} />
      <main ref={main} tabIndex={-1} class={`view view-${id}`}>
        {isOffline.value && (
          <p class="banner" role="alert">
            {text.offline}
          </p>
        )}
        <Content view={view} />
      </main>
      <Toasts />
    </div>
  );
}

function Content({ view }: { view: View | undefined }) {
  if (session.value === undefined) return isOffline.value ? null : <Loading lines={6} />;
  if (session.value.access === 'none') return <LoginPage />;
  return view === undefined ? <Empty title={text.noView} /> : <LoadedView key={view.id} view={view} />;
}

/** Loads the code of a view and shows it. */
function LoadedView({ view }: { view: View }) {
  const [loaded, setLoaded] = useState<{ component?: ComponentType; hasFailed?: true }>({});
  useEffect(() => {
    let isLeft = false;
    view.load().then(
      ({ default: component }) => !isLeft && setLoaded({ component }),
      () => !isLeft && setLoaded({ hasFailed: true }),
    );
    return () => {
      isLeft = true;
    };
  }, [view]);
  const { component: Component, hasFailed } = loaded;
  if (hasFailed)
    return (
      <>
        <ViewHead title={view.title} />
        <div class="state">
          <Failed message={text.viewFailed} />
          <Button icon="refresh" onClick={() => location.reload()}>
            {text.reload}
          </Button>
        </div>
      </>
    );
  return Component === undefined ? <Loading lines={6} /> : <Component />;
}

// The style of a library that only some views need.

const loading = new Map<string, Promise<void>>();

/** Loads a style once. @param address from `import address from 'FILE.css?url'` @throws Error when it cannot be had */
export function loadStyle(address: string): Promise<void> {
  const known = loading.get(address);
  if (known !== undefined) return known;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  const loaded = new Promise<void>((done, fail) => {
    link.onload = () => done();
    link.onerror = () => fail(new Error(`The style ${address} could not be loaded.`));
  });
  loading.set(address, loaded);
  document.head.append(link);
  return loaded;
}

// Tests the port before any thread is started. The HTTP threads share the port, and sharing would also admit a second
// Sextant. So the port is first bound exclusively, which fails if another process uses it, and then released.

import { type AddressInfo, createServer, type ListenOptions } from 'node:net';

/** Where the HTTP threads listen. */
export interface Endpoint {
  /** 1..65535; a free one if 0 was requested. */
  port: number;
  /** True if several threads can listen on it, which not every operating system allows. */
  shareable: boolean;
}

/** Binds the port and releases it. @throws Error when it cannot be bound */
export async function probePort(host: string, port: number): Promise<Endpoint> {
  try {
    const free = await bindOnce({ host, port, exclusive: true });
    return { port: free, shareable: await canShare(host, free) };
  } catch (error) {
    throw new Error(messageFor(error as NodeJS.ErrnoException, host, port));
  }
}

async function canShare(host: string, port: number): Promise<boolean> {
  try {
    await bindOnce({ host, port, reusePort: true });
    return true;
  } catch (error) {
    if (['ENOTSUP', 'EINVAL', 'ENOPROTOOPT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function bindOnce(options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(options, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

function messageFor(error: NodeJS.ErrnoException, host: string, port: number): string {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use; stop what uses it, or choose another with --port.`,
    EACCES: `This user may not listen on port ${port}; choose one above 1023 with --port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}; choose one of its own with --host.`,
    ENOTFOUND: `The host name ${host} is not known; choose an address of this machine with --host.`,
  };
  return reasons[error.code ?? ''] ?? `Port ${port} on ${host} cannot be listened on: ${error.message}.`;
}

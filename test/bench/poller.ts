import { Socket } from 'node:net';

const headerEnd = Buffer.from('\r\n\r\n');
const lengthName = Buffer.from('\r\nContent-Length: ');
/** All connections read into the same bytes: a reply is used before the next one is read. */
const readBuffer = Buffer.alloc(64 * 1024);
const none = Buffer.alloc(0);

/** Ports of addresses that are only this process's, taken in turn: to have Linux find one takes longer the more are taken. */
const ownPorts = { first: 10_000, count: 22_000 };
let portsTaken = 0;

type OnReply = (body: Buffer, head: Buffer) => void;

/**
 * One keep-alive connection that has one request at a time: the cheapest client that is still honest, so that a run
 * measures the server. Replies must carry a Content-Length.
 */
export class RawConnection {
  private readonly socket: Socket;
  private buffered: Buffer = none;
  private expected = -1;
  private bodyStart = 0;
  private onReply: OnReply = () => undefined;
  /** Called when the connection has ended, whoever ended it. */
  onClose: () => void = () => undefined;

  private constructor() {
    const callback = (bytes: number) => {
      this.take(readBuffer.subarray(0, bytes));
      return true;
    };
    // Safe: sockets that connect take it, and the types give it to `connect` alone.
    this.socket = new Socket({ onread: { buffer: readBuffer, callback } } as object);
    this.socket.setNoDelay(true);
    // The server ends the connection when the run is over.
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => this.onClose());
  }

  /** Connects, from an address if one is given: another than the usual one is this process's alone. */
  static async open(port: number, from?: string): Promise<RawConnection> {
    const own = from !== undefined &&
      from !== '127.0.0.1' && {
        localAddress: from,
        localPort: ownPorts.first + (portsTaken++ % ownPorts.count),
      };
    return await new Promise((resolve, reject) => {
      const connection = new RawConnection();
      const to = { port, host: '127.0.0.1', ...own };
      connection.socket.once('error', reject).connect(to, () => resolve(connection));
    });
  }

  /** Sends a whole request. What `onReply` gets must be used before it returns. */
  ask(request: string, onReply: OnReply): void {
    this.onReply = onReply;
    this.socket.write(request, 'latin1');
  }

  request(request: string): Promise<Buffer> {
    return new Promise((resolve) => this.ask(request, (body) => resolve(Buffer.from(body))));
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    const bytes = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    if (this.expected < 0) {
      const end = bytes.indexOf(headerEnd);
      if (end >= 0) {
        this.bodyStart = end + headerEnd.length;
        this.expected = this.bodyStart + lengthIn(bytes, end);
      }
    }
    if (this.expected < 0 || bytes.length < this.expected) {
      this.buffered = bytes === chunk ? Buffer.from(chunk) : bytes;
      return;
    }
    const body = bytes.subarray(this.bodyStart, this.expected);
    const head = bytes.subarray(0, this.bodyStart);
    this.buffered = bytes.length > this.expected ? Buffer.from(bytes.subarray(this.expected)) : none;
    this.expected = -1;
    this.onReply(body, head);
  }
}

export function getRequest(path: string, authorization: string, host = 'localhost'): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`;
}

export function postRequest(
  path: string,
  authorization: string,
  form: string,
  host = 'localhost',
  method = 'POST',
): string {
  const type = 'application/x-www-form-urlencoded';
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nContent-Type: ${type}`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(form)}\r\n\r\n${form}`;
}

function lengthIn(bytes: Buffer, end: number): number {
  const at = bytes.indexOf(lengthName);
  // The number ends where its line does.
  if (at !== -1 && at < end)
    return Number.parseInt(bytes.toString('latin1', at + lengthName.length, end), 10);
  return Number(/content-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1] ?? 0);
}

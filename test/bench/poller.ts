import { type Socket, connect } from 'node:net';

const headerEnd = Buffer.from('\r\n\r\n');

/**
 * One keep-alive connection that has one request at a time: the cheapest client that is still honest, so that a run
 * measures the server. Replies must carry a Content-Length.
 */
export class RawConnection {
  private readonly socket: Socket;
  private buffered: Buffer = Buffer.alloc(0);
  private expected = -1;
  private bodyStart = 0;
  private onReply: (body: Buffer) => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.take(chunk));
    // The server ends the connection when the run is over.
    socket.on('error', () => undefined);
  }

  static async open(port: number): Promise<RawConnection> {
    return await new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new RawConnection(socket)));
      socket.once('error', reject);
    });
  }

  /** Sends a whole request; `onReply` gets the body. */
  ask(request: string, onReply: (body: Buffer) => void): void {
    this.onReply = onReply;
    this.socket.write(request, 'latin1');
  }

  request(request: string): Promise<Buffer> {
    return new Promise((resolve) => this.ask(request, resolve));
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    if (this.expected < 0) {
      const end = this.buffered.indexOf(headerEnd);
      if (end < 0) return;
      const head = this.buffered.toString('latin1', 0, end);
      this.bodyStart = end + headerEnd.length;
      this.expected = this.bodyStart + Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    }
    if (this.buffered.length < this.expected) return;
    const body = this.buffered.subarray(this.bodyStart, this.expected);
    this.buffered = this.buffered.subarray(this.expected);
    this.expected = -1;
    this.onReply(body);
  }
}

export function getRequest(path: string, authorization: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`;
}

export function postRequest(path: string, authorization: string, form: string): string {
  const type = 'application/x-www-form-urlencoded';
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: ${type}`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(form)}\r\n\r\n${form}`;
}

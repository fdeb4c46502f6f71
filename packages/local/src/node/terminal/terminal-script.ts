/**
 * What gives a program a terminal (Python 3). Arguments: `i` when input comes or `-`, then the program. Standard input
 * and output are the terminal's; lines `COLUMNS ROWS` on descriptor 3 change its size. It ends as the program does, by
 * the same signal too, and hands SIGTERM on.
 */
export const TERMINAL_SCRIPT: string = `
import errno, fcntl, os, pty, resource, select, signal, struct, sys, termios
has_input, argv = sys.argv[1] == 'i', sys.argv[2:]
os.set_inheritable(3, False)
child, master = pty.fork()
if child == 0:
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        os.write(2, ('%s: %s\\r\\n' % (argv[0], error.strerror)).encode())
        os._exit(126 if error.errno == errno.EACCES else 127)

def hand_on(number, frame):
    try:
        os.killpg(child, number)
    except OSError:
        pass

def send(data):
    while data:
        data = data[os.write(1, data):]

def resize(line):
    try:
        columns, rows = (int(word) for word in line.split())
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))
    except (ValueError, struct.error, OSError):
        pass

wake_in, wake_out = os.pipe()
os.set_blocking(wake_out, False)
signal.set_wakeup_fd(wake_out)
signal.signal(signal.SIGCHLD, lambda number, frame: None)
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, hand_on)
os.set_blocking(master, False)
reading = {master, wake_in, 3} | ({0} if has_input else set())
pending, sizes, status = b'', b'', None
while True:
    watched = [f for f in reading if f != 0 or len(pending) < 65536]
    ready, writable, _ = select.select(watched, [master] if pending else [], [], None if status is None else 0.02)
    if status is not None and master not in ready:
        break
    if master in ready:
        try:
            data = os.read(master, 65536)
        except BlockingIOError:
            data = None
        except OSError:
            data = b''
        if data == b'':
            break
        if data:
            send(data)
    if wake_in in ready:
        os.read(wake_in, 4096)
        if status is None:
            done, code = os.waitpid(child, os.WNOHANG)
            if done:
                status = code
    if 3 in ready:
        data = os.read(3, 4096)
        if not data:
            reading.discard(3)
        *lines, sizes = (sizes + data).split(b'\\n')
        for line in lines:
            resize(line)
    if 0 in ready:
        data = os.read(0, 65536)
        if not data:
            reading.discard(0)
            if termios.tcgetattr(master)[3] & termios.ICANON:
                data = b'\\x04'
        pending += data
    if writable:
        try:
            pending = pending[os.write(master, pending):]
        except BlockingIOError:
            pass
        except OSError:
            pending = b''
if status is None:
    status = os.waitpid(child, 0)[1]
if os.WIFSIGNALED(status):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    number = os.WTERMSIG(status)
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
os._exit(os.WEXITSTATUS(status))
`

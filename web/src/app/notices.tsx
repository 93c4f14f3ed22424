import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Where `say` and `offerUndo` are read. What was said before it is loaded waits for it. */
export const Notices = () => <Notifications position="bottom-right" />;

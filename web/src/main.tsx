import '@mantine/core/styles.css';
import './app/page.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { session } from './api/api.ts';
import { followLive } from './api/live.ts';
import { queryClient } from './api/query-client.ts';
import { later } from './app/later.tsx';
import { router } from './app/router.tsx';
import { theme } from './app/theme.ts';
import { preferredLanguage, setLanguage } from './texts/i18n.ts';

const Notices = later(async () => (await import('./app/notices.tsx')).Notices);

// The content policy accepts only style elements with this value (contract 31.3).
const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';
setNonce(nonce);

await Promise.all([setLanguage(preferredLanguage()), session.start()]);
followLive();

createRoot(document.querySelector('#root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queryClient}>
        <Suspense fallback={null}>
          <Notices />
        </Suspense>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

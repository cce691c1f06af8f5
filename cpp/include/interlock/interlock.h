// The whole public interface of Interlock.

#ifndef INTERLOCK_INTERLOCK_H
#define INTERLOCK_INTERLOCK_H

#include "interlock/blobs.h"
#include "interlock/codec.h"
#include "interlock/digest.h"
#include "interlock/document.h"
#include "interlock/error.h"
#include "interlock/frame.h"
#include "interlock/limits.h"
#include "interlock/package.h"
#include "interlock/version.h"

#endif // INTERLOCK_INTERLOCK_H
